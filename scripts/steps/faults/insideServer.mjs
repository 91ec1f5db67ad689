// Loaded before the server (`node --import`) in tests of faults. Listens on a socket that is named by the process id, in
// the folder FAULTS_FOLDER, and takes one command a connection: `shift MILLISECONDS` moves the clock of this process,
// `heap` collects garbage and tells what is left.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let shift = 0

const TrueDate = Date
/** `performance.now()` and timers go on as they did: a clock that is set does not move them. */
globalThis.Date = /** @type {DateConstructor} */ (
  new Proxy(TrueDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [target.now() + shift] : given, newTarget),
    apply: (target) => new target(target.now() + shift).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? () => target.now() + shift : Reflect.get(target, name, receiver),
  })
)

function readHeap() {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc')
  for (let times = 0; times < 3; times++) gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapUsed, external, rss }
}

const folder = process.env.FAULTS_FOLDER
if (folder) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      const [command, value] = String(chunk).trim().split(' ')
      if (command === 'shift') shift = Number(value)
      socket.end(JSON.stringify(command === 'heap' ? readHeap() : { shift }))
    })
  })
  server.on('error', () => {})
  server.listen(join(folder, `${process.pid}.socket`))
  server.unref()
}
