// Loaded into a server before its own code: its time goes on as usual, and the test that started it can move it ahead.
const RealDate = Date
let ahead = 0
const now = () => RealDate.now() + ahead

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

process.on('message', (milliseconds) => {
  ahead += Number(milliseconds)
  process.send?.(ahead)
})
process.channel?.unref()
