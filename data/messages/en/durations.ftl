### Lengths of time, short.

days = { $count } d
hours = { $count } h
minutes = { $count } min
seconds = { $count } s
