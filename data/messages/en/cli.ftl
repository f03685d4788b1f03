### What the commands of `kith` print, and why they fail.

## The help

usage-heading = Usage:
commands-heading = Commands:
arguments-heading = Arguments:
options-heading = Options:
print-help = Print help
print-version = Print version
explain-commands = Print this message or the help of the given commands
help-with-default = { $text } [default: { $default }]
help-with-values = { $text } [possible values: { $values }]

## All commands

error = error: { $why }
written = Written: { $file }
pages-unwritable = the pages cannot be written: { $error }
