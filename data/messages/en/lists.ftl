### How things are put together.

# Between the parts of a list.
separator = { ", " }
percent = { $share } %
comma = { ", " }
semicolon = { "; " }
