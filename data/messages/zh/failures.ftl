### 为什么没有送达或放弃了，给人看，也给模型看。

late-delivery-failure = 你之前写的一条消息没能送达：{ $why }
message-undelivered = “{ $said }”没能送达：{ $why }
actions-failed-before = 你上次重启之前，这些失败了，没有办成：{ $what }
# $what: the call, $why: its error.
action-failed = 你上次做的 { $what } 失败了：{ $why }
reminder-given-up = 你提醒{ $name }时程序两次中断，这条提醒已经放弃
reminder-for-all-given-up = 你提醒大家时程序两次中断，这条提醒已经放弃
wait-given-up = 你等的事来了，但你回来处理时程序两次中断，已经放弃
answer-given-up = 你回答 { $line } 时程序两次中断，已经放弃
auto-mod = 被服务器的 AutoMod 拦下
no-permission = 没有权限，或被禁言
target-gone = 对象已经不在了
rate-limited = 慢速模式或限流：要等太久
no-answer = Discord 没有回应
hook-refused = 主人设的检查没有放行
refused = 被拒绝，原因见日志
# Leaves out: $why
in-own-words = { $kind }
