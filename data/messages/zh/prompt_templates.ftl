### 提示词模板哪里有问题，写给改模板的人：位置、问题、改法。

problem = { $place } { $what }；{ $cure }

no-folder = 没有这个文件夹
create-folder = 请建立它，或去掉这项设置
unused-file = 没有提示词用到这个文件
nearest-file = 是不是 { $file }？
unreadable = 无法读取：{ $error }
write-text = 请改成可读的 UTF-8 文本文件
look-up-values = 自带文件的第一行列出了可用的值
mend-or-delete = 请改正，或删掉这个文件，改用自带的
value-not-shown = 值 `{ $value }` 从未显示
show-value = 请在合适的位置写上 { $expression }
