// A proxy that counts what a bot asks Discord: `node rest_proxy.cjs FOLDER UPSTREAM PORT`. FOLDER is where
// `@discordjs/proxy` is installed, UPSTREAM what stands for `https://discord.com/api`; with port 0 any free one is taken.
// The port is printed once it listens.
const [, , folder, upstream, port] = process.argv;
const { createServer } = require("node:http");
const load = require("node:module").createRequire(`${folder}/`);
const { REST } = load("@discordjs/rest");
const { proxyRequests } = load("@discordjs/proxy");

// Whoever asks waits and asks again. This proxy would do it with an empty body, for it hands a body on as it comes.
const rejectOnRateLimit = () => true;
const rest = new REST({ version: "10", api: upstream, retries: 0, rejectOnRateLimit });
const forward = proxyRequests(rest);
const server = createServer((request, response) => {
  forward(request, response).catch((error) => console.error(error));
});
server.listen(Number(port), "127.0.0.1", () => console.log(server.address().port));
