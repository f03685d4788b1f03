### 没有配置模型时替身说的话。可能重复的话各有几种说法，因为同伴不能总说同一句。$name 和 $text 是它回答的那一行的
### 作者和内容，$time 是工具告诉它的时间。

label = （替身）
thinks-hello = 演示：说清楚这是什么，接下来该做什么
thinks-reply = 演示：回复某一句
thinks-react = 演示：用表情代替说话
thinks-about-itself = 他们想知道我是什么：直说
asks-tool = 演示：先问工具，下一轮再回答
saw-time = 工具已经回答：转告
silence = 演示：沉默也是结果，不花代价，原因会写进报告
said-already = 演示：该说的刚才都说过了
not-asked = 没人跟我说话，演示也没什么可补充的
nobody = 没有可以回答的话
hello-first = { $name }，我看到你说“{ $text }”，不过我只是演示，不是语言模型：想要真正的回答，请点页面上的“连接模型”
hello-second = “{ $text }”，收到。这里还是那段演示：在“连接模型”里填地址和密钥，能当场测试
hello-third = { $name }说了“{ $text }”。这里没人在想，全是写好的台词
what-it-is-first = { $name }你好，我是一段简短的演示，不是语言模型：请用页面上的“连接模型”，或启动 Ollama，或设置 OPENAI_API_KEY 和 KITH_MODEL
# Leaves out: $name
what-it-is-second = 还是刚才那个回答：写好的脚本，不是语言模型
what-it-is-third = 只有几句现成的话而已，{ $name }，背后不是语言模型
read-you-first = 这是对“{ $text }”的回复，右边能看到我为什么醒来
read-you-second = { $name }说“{ $text }”，真正的模型会接着聊
read-you-third = 让我醒来的就是“{ $text }”，聊天旁边的条形图写着各项分数
read-you-fourth = 接上模型以后，这里会是对“{ $text }”的认真回答
time-is-first = 工具说：{ $time }。想要的不只是演示，请点页面上的“连接模型”
time-is-second = get_time 告诉我 { $time }，调用和结果都在右边
time-is-third = { $time }，这已经是本回合第二轮
time-failed-first = get_time 工具失败了，错误在右边
time-failed-second = 没问到时间，页面上写着原因
