separator = 、
percent = { $share }%
comma = ，
