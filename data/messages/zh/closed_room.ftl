### 没有口令的人看到的房间网页。`$address`、`$file` 和 `$parameter` 显示为代码。

title = 房间没有开
only-operator = 只有启动 Kith 的人可以进来，而这个浏览器没有口令。
open-address = 请打开 Kith 启动时打印的地址，它以 { $address } 结尾；打开一次之后，这个页面就能直接进入。
find-token = 找不到那一行？口令在 Kith 数据目录的 { $file } 文件里，把它写在地址栏的 { $parameter } 后面即可。
