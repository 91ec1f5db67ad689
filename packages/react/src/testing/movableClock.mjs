// Loaded into the server's process before it: its clock goes forward when the tests say so.
const Real = Date
let ahead = 0

globalThis.Date = class extends Real {
  constructor(...parts) {
    super(...(parts.length > 0 ? parts : [Real.now() + ahead]))
  }
  static now() {
    return Real.now() + ahead
  }
}

process.on('message', (milliseconds) => {
  ahead += milliseconds
  process.send('moved')
})
process.channel.unref()
