### 房间为什么没照页面说的做。读的是人：一句话说清是什么、可以怎么办。

no-channel = 没有这个频道
no-message = 这个频道里没有这条消息
no-person = 房间里没有这个人
no-session = 没有这个会话
no-turn = 没有这一轮
turn-over = 这一轮没在进行，或者已经结束了
name-taken = { $name } 有人用了，换个名字吧
channel-name-taken = #{ $name } 已经有了，换个名字吧
last-person = 总得留一个人来说话；先添加另一个人
last-channel = 房间里总得有一个频道；先添加另一个
channel-off = #{ $name } 是关着的，里面的话不读也不存；在 kith.toml 里打开它
own-words = 这是伙伴说的话，不能改；不想留就删掉
posted-before = 这条发过，后来删了；请重新写一条
intention-over = 它已经不在等这件事了
already-decided = 已经有人决定过了，或者已经过了时间
nothing-pending = 这件事已经查不到了，所以什么也没做
no-memory = 在这里能看到的记忆里，没有这个编号
memory-of-another = 这条说的是别人，只有本人能改；可以删除
nothing-superseded = 它没有取代过别的记忆，没法退回
memory-length = 请写出正确的内容，1 到 { $most } 个字
memory-sensitive = 这涉及健康、性取向、宗教、政治或行踪，只有本人要求时才会记
no-earlier-block = 这一块没有可以撤回的修改
no-persona-file = 设置里没有提到这个人设文件
