### The page of the room for who has no token. `$address`, `$file` and `$parameter` are shown as code.

title = This room is closed
only-operator = Only whoever started Kith may come in, and this browser does not know the token.
open-address = Open the address that Kith printed when it started. It ends in { $address }, and from then on this page opens by itself.
find-token = No such line in sight? The token stands in the file { $file } in Kith's data folder: put it behind { $parameter } in the address bar.
