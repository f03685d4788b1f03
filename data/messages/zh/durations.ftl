### 时长，用短的写法。

days = { $count } 天
hours = { $count } 小时
minutes = { $count } 分钟
seconds = { $count } 秒
