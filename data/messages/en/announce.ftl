### What is said once in a channel that is read from now on. The parts are put together by `announcement`.

reads-and-speaks = 👋 From now on { $name } reads along in this channel and joins in now and then.
reads-and-speaks-later = 👋 From now on { $name } reads along in this channel; it will join in as soon as its host has connected a language model.
only-observes = 👋 From now on { $name } reads along in this channel. It only observes and never speaks here.
sent-to-model = ; when it thinks about an answer, recent ones are sent to the model at { $hostname }.
no-model-until-then = ; until then no model sees them.
no-model-while-observing = ; no model sees them as long as it only observes.
opt-out-hint = Rather not? `/kith optout` leaves you out. Members with Manage Server can switch it off: `/kith off`.
kept-for =
    { $days ->
        [one] Messages are kept for { $days } day
       *[other] Messages are kept for { $days } days
    }
announcement = { $does } { $kept }{ $seen } { $out }
