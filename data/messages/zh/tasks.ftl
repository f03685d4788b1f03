### 告诉子代理的话。

result-not-known = 没有执行：写的时候还不知道结果；现在知道了，请回答
no-such-tool = 这里没有“{ $name }”，有这些：{ $names }
round-of-tool = 第 { $round } 轮：{ $name }
approval-not-possible = 没有执行：这要有人批准，而这里问不到人；请在回答里说明还要调用它
answer-now = 做完了：写出要知道的全部。
# Leaves out: $error
model-failed = 没有做成：模型现在用不了，或预算用完了
