i-am-an-ai = yes, I'm an AI
