i-am-an-ai = 嗯，我是 AI
