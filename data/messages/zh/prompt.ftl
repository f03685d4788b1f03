### 程序自己放进提示词的话。读的是模型：要短，要准。

direct-channel = 私聊，只有你们两个
thread = 子区 #{ $name }
gap = [这里缺了一些消息]
edited = （改过）
refused-line = （已略去：服务商拒绝这句话）
shortened = {" "}…（还有{ $characters }字）
tool-picture = { $tool } 的图片：
picture-lost = 无法载入
linked-line = （第 { $line } 行）
picture = 第 { $line } 行的图片：
direct = 第 { $line } 行，{ $name } 私聊你。
mention = 第 { $line } 行，{ $name } @ 了你。
reply = 第 { $line } 行，{ $name } 回复了你。
call-by-name = 第 { $line } 行，{ $name } 叫了你的名字。
alone = 第 { $line } 行，{ $name } 说的；这里没有别人，是对你说的。
says-to-you = 第 { $line } 行，{ $name } 对你说：“{ $text }”
says = 第 { $line } 行，{ $name } 说：“{ $text }”没人问你，想接就接。
deleted-address = 有人跟你说话，但那条消息后来删了。
also-line = 第 { $line } 行（{ $name }）
also = 也在跟你说话的：{ $lines }。一次一起回应。
unasked = 没人跟你说话。第 { $line } 行（{ $name } 说的）引起了你的注意，想接就接。
line-for-other = 最新的第 { $line } 行是 { $name } 对 { $other } 说的，那句不用你接。
unasked-plainly = 没人跟你说话，想接就接。
waited = 没人跟你说话。你等的事来了：{ $cause }。
own-note = 你给自己的备注：“{ $note }”。
person-wrote = { $name } 说话了（第 { $line } 行）
word-fell = 有人提到“{ $word }”（第 { $line } 行）
it-is-time = 时间到了
wait-fulfilled = 等到了
remind = 提醒{ $name }的时间到了：“{ $text }”。现在用自己的话提醒，用 @ 叫对方。
remind-all = 该提醒了：“{ $text }”。现在用自己的话说出来。
reminder = - 你会提醒{ $name }，时间 { $time }：“{ $text }”
everybody = 大家
lull = 没人跟你说话。这里之前很热闹，现在 { $minutes } 分钟没人说话了，你可以起个新话头。
opening = 没人跟你说话。这是你一天里可以先开口的时候。
not-obliged = 没人等着你说，不合适就不说话。
waiting-for = - 你在等：{ $things }；备注：“{ $note }”
until-person = { $name } 说话
until-word = 提到“{ $word }”
or-between = ，或{" "}
earlier = 前面：{ $line }
time-now = 现在是 { $time }。
doing-now = 你在：{ $activity }。
energy-low = 你聊累了。
energy-middle = 你还有些精神。
energy-full = 你精神很好。
last-spoke = 你上次在这里说话是 { $duration }前。
sentence-separator = { "" }
bot = （机器人）
known-person = （{ $facts }）
known-for = 认识 { $duration }
just-met = 刚认识
talks-often = 常和你聊
item-separator = 、
fact-separator = ，
what-you-know = 你对他们的了解：
name-separator = ：
profile-separator = ；
last-seen = { $duration }前来过
goes-by = 也叫{ $text }
hearsay = { $text }（{ $name } 说的）
hearsay-ago = { $text }（{ $name } { $duration }前说的）
said-ago = { $text }（{ $duration }前说的）
open = 还没了结：{ $text }
open-today = 眼前的事：{ $text }（今天）
open-tomorrow = 眼前的事：{ $text }（明天）
open-on = 眼前的事：{ $text }（{ $day }）
you-thought = 你想：
called-tool = 你调用了 { $tool } { $parameters }：
called-tool-failed = 你调用了 { $tool } { $parameters }，失败：
you-said = 你说了：
unreadable = 你写了这些，里面没有动作，所以什么都没发生：
unread = 你写了这些，没能全部读懂（{ $problems }）：
go-on = 以上是你刚才调用的结果，请接着做。
left-out = （结果 { $characters } 字，这里略去；还需要就再调用一次）
todo-reminder = 你已经三轮没更新待办了：用 todo 更新，或者清空。
on-their-way = 这些你已经说了，正在发送，大家会看到，不要再说：
unsent = 你正要说这些时有人开口，所以没发出去：
session-note = 你开它的时候给自己记的话；只是备注，不是规则：
session-note-of-person = 这里的管理者希望你在这儿记住的；只是备注，不是规则：
summed-up = 大意：
lately-quieted = 刚有人让你安静，有点闷。
lately-unwelcome = 大家希望你少说点，有点闷。
lately-ignored = 你刚说的没人接，有点闷。
lately-good-talk = 正聊得起劲，心情好。
lately-welcome = 大家喜欢你在，很自在。
# 群里好几个人常说的话。
often-said = 这里好几个人常说：{ $expressions }。
about-minutes = { $count } 分钟
about-hours = { $count } 小时
about-days = { $count } 天
about-weeks = { $count } 周
about-months = { $count } 个月
date-mark =
    { $month }月{ $day }日 周{ $weekday ->
        [1] 一
        [2] 二
        [3] 三
        [4] 四
        [5] 五
        [6] 六
       *[7] 日
    } { $time }
full-time =
    { $year }年{ $month }月{ $day }日 周{ $weekday ->
        [1] 一
        [2] 二
        [3] 三
        [4] 四
        [5] 五
        [6] 六
       *[7] 日
    } { $time }
