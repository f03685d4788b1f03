### Why something about a member is not done, to go on with; permissions as Discord names them.

switched-off = it is not switched on here
no-authority = who asked for it may not have it done
nobody-to-ask = there is no log channel in which somebody could approve it
too-long = it is too long to be shown whole to who would approve it; say it in fewer words
waiting = the same waits for approval already
too-many = too much waits for approval already
forgotten = somebody in it wants to be forgotten
no-guild = the server cannot be seen now
no-member = they are not a member of this server
oneself = nobody does that to themselves
owner = they own this server
administrator = they are an administrator
not-above = their highest role is not below
too-late = it came too late
private = nobody else may read what is said in a direct message
changed = the tool was changed meanwhile
went-wrong = it went wrong
cut-short = the program was stopped meanwhile, so it is not known whether it ran
gone = what it was about is gone
no-answer = the platform did not answer
failed = the platform refused it
no-permission = the permission { $permission } is missing
permission-timeout-member = Timeout Members
permission-kick-member = Kick Members
permission-ban-member = Ban Members
permission-delete-message = Manage Messages
