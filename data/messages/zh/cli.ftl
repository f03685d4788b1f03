### `kith` 各个命令显示的文字，以及失败的原因。

## 帮助

usage-heading = 用法：
commands-heading = 命令：
arguments-heading = 参数：
options-heading = 选项：
print-help = 显示帮助
print-version = 显示版本
explain-commands = 显示这些文字，或某个命令的帮助
help-with-default = { $text } [默认：{ $default }]
help-with-values = { $text } [可选：{ $values }]

## 所有命令

error = 错误：{ $why }
written = 已写入：{ $file }
pages-unwritable = 无法写入手册页：{ $error }
