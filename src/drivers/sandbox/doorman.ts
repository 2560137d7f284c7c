/**
 * The doors of a network that bubblewrap made: where none could be made with `own-network.ts`. A few lines of Node open
 * them inside, hand the listening sockets to us and end before the program begins. It costs a start of Node, and only
 * programs that know of a proxy find the way out.
 */
export const DOORMAN = `
const { createServer } = require('node:net')
const open = (port) => new Promise((done, fail) => {
  const server = createServer().once('error', fail)
  server.listen(port, '127.0.0.1', () => process.send('tcp ' + port, server, (error) => (error ? fail(error) : done())))
})
process.argv.slice(1).reduce((before, port) => before.then(() => open(Number(port))), Promise.resolve()).then(
  () => process.exit(0),
  (error) => {
    console.error(error.message)
    process.exit(1)
  },
)`
