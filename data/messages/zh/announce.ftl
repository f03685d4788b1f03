### 在一个从现在起旁听的频道里说一次的话。各部分由 `announcement` 拼起来。

reads-and-speaks = 👋 从现在起，{ $name } 会在这个频道旁听，偶尔也会说话。
reads-and-speaks-later = 👋 从现在起，{ $name } 会在这个频道旁听；等部署者接入语言模型后，它也会说话。
only-observes = 👋 从现在起，{ $name } 会在这个频道旁听，只看不说。
sent-to-model = ；它考虑回应时，会把最近的消息发送给 { $hostname } 的模型。
no-model-until-then = ；在那之前，没有模型会看到。
no-model-while-observing = ；只旁听期间，没有模型会看到。
opt-out-hint = 不想参与？用 `/kith 隐私`（`/kith optout`）退出。有“管理服务器”权限的成员可以用 `/kith 关闭`（`/kith off`）关闭它。
kept-for = 消息会保存 { $days } 天
announcement = { $does }{ $kept }{ $seen }{ $out }
