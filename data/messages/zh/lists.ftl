### 怎样把几样东西连起来。

separator = 、
percent = { $share }%
comma = ，
semicolon = ；
