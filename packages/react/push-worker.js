// The service worker that shows notifications. Serve it from your own origin, at /push-worker.js by default; a worker
// that you have already can load it: importScripts('/push-worker.js').

/** @type {any} */
const worker = self

worker.addEventListener('push', (event) => {
  event.waitUntil(show(readData(event.data)))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url))
})

/** Reads a push: `title`, `alert`, `icon`, `badge`, `tag`, `url`. Anything else is a text. */
function readData(data) {
  try {
    const value = data?.json()
    return value !== null && typeof value === 'object' ? value : { alert: String(value ?? '') }
  } catch {
    return { alert: data?.text() ?? '' }
  }
}

/** A browser takes the permission away from a page whose pushes show nothing, so something is always shown. */
function show({ title, alert, icon, badge, tag, url }) {
  const text = (value) => (typeof value === 'string' && value !== '' ? value : undefined)
  // The form of the older protocol: { alert: { title, body } }.
  const inner = alert !== null && typeof alert === 'object' ? alert : { body: alert }
  return worker.registration.showNotification(text(title) ?? text(inner.title) ?? worker.location.host, {
    body: text(inner.body) ?? '',
    ...(text(icon) && { icon }),
    ...(typeof badge === 'string' && { badge }),
    ...(text(tag) && { tag }),
    data: { url: text(url) },
  })
}

/** Shows the page that the push names, of this origin alone; a tab that has it open already comes to the front. */
async function open(path) {
  const base = worker.location.origin
  const url = new URL(path !== undefined && URL.canParse(path, base) ? path : '/', base)
  const target = url.origin === base ? url.href : `${base}/`
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((one) => one.url === target)
  return page ? page.focus() : worker.clients.openWindow(target)
}
