separator = 、
percent = { $share }%
comma = ，
semicolon = ；
