import { createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import '@countersign/react/push-worker.js'

/** The page and the files of the account screens, with a mark of their content. Written by the build. */
declare const shellFiles: PrecacheEntry[]

declare const self: ServiceWorkerGlobalScope

// Caches are for files that are the same for all users. API, sign-in, console and documentation are not handled here, so
// they always go to the network.

/** Screens that open without a network. */
const screens = [/^\/$/, /^\/account(\/|$)/]

/** Milliseconds after which the page on the device replaces one that is still loading. */
const patience = 5_000

const brandCache = 'countersign-brand'

precacheAndRoute(shellFiles, { cleanURLs: false, directoryIndex: '', ignoreURLParametersMatching: [] })

const showKept = createHandlerBoundToURL('/index.html')

// From the network first: after an upgrade the page is the new one at once. The page on the device and its files are
// of one release, and are replaced together when no page uses them any more.
registerRoute(
  new NavigationRoute(
    async (options) => {
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), patience)
      try {
        const response = await fetch(options.request, { signal: limit.signal })
        // A proxy in front of a stopped server responds with 502 to 504.
        return response.status >= 502 && response.status <= 504 ? await showKept(options) : response
      } catch {
        return showKept(options)
      } finally {
        clearTimeout(timer)
      }
    },
    { allowlist: screens },
  ),
)

// Colors and icon of the brand are named by the page. Their addresses change with their content.
self.addEventListener('install', (event) => event.waitUntil(keepBrand()))
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/brand/'),
  async ({ request }) => (await caches.match(request.url, { cacheName: brandCache })) ?? fetch(request),
)

async function keepBrand(): Promise<void> {
  const page = await (await fetch('/index.html', { cache: 'no-store' })).text()
  const addresses = [...page.matchAll(/\shref="(\/brand\/[^"]+)"/g)].flatMap(([, address]) => address ?? [])
  await caches.delete(brandCache)
  await (await caches.open(brandCache)).addAll(new Set(addresses))
}
