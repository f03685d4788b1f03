### 对成员的操作为什么没有做，接在别的话后面用；权限按 Discord 的叫法。

switched-off = 这里没有开启这个操作
no-authority = 要求这样做的人没有这个权力
nobody-to-ask = 没有可以请人批准的日志频道
too-long = 太长了，没法完整地给批准的人看；请写短一些
waiting = 同样的请求已经在等待批准
too-many = 等待批准的请求太多了
forgotten = 其中有人要求被忘记
no-guild = 现在看不到这个服务器
no-member = 对方不是这个服务器的成员
oneself = 不能对自己这样做
owner = 对方是服务器的所有者
administrator = 对方是管理员
not-above = 对方最高的身份组并不更低
too-late = 太晚了
private = 私信里说的事不能让别人来批准
changed = 这个工具中途改过了
went-wrong = 出错了
cut-short = 程序中途停了，不知道有没有执行
gone = 对象已经不在了
no-answer = 平台没有回应
failed = 平台拒绝了
no-permission = 缺少“{ $permission }”权限
permission-timeout-member = 禁言成员
permission-kick-member = 踢出成员
permission-ban-member = 封禁成员
permission-delete-message = 管理消息
