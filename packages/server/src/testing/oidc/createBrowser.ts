import { cookieName } from '../../endpoint/cookies.ts'
import type { TestServer } from '../createTestServer.ts'

/** A browser's cookies and redirects, for flows that lead through several pages. */
export function createBrowser({ context, appId }: TestServer) {
  const jar = new Map<string, { value: string; path: string }>()
  const own = new URL(context.publicUrl)

  const cookiesFor = (path: string) =>
    [...jar].flatMap(([name, cookie]) => (path.startsWith(cookie.path) ? [`${name}=${cookie.value}`] : [])).join('; ')

  function take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', ...value] = pair.split('=')
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/'
      const isOver = attributes.some((each) => /^max-age=0$|expires=thu, 01 jan 1970/i.test(each))
      if (isOver || value.join('=') === '') jar.delete(name)
      else jar.set(name, { value: value.join('='), path })
    }
  }

  async function load(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address)
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(init.headers as Record<string, string>), cookie: cookiesFor(url.pathname) },
    })
    take(response)
    return response
  }

  /** Follows redirects of the provider; returns the address of a screen or of an application. */
  async function follow(address: string): Promise<string> {
    let at = address
    for (let hops = 0; hops < 10; hops++) {
      const url = new URL(at)
      if (url.origin !== own.origin || !url.pathname.startsWith('/oidc/')) return at
      const response = await load(at)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${url.pathname} responded ${response.status}: ${await response.text()}`)
      at = new URL(location, at).href
    }
    throw new Error('too many redirects')
  }

  async function api(method: string, path: string, body?: unknown, token?: string) {
    const response = await load(`${context.publicUrl}${context.config.mount}${path}`, {
      method,
      headers: {
        'X-Parse-Application-Id': appId,
        ...(token && { 'X-Parse-Session-Token': token }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> }
  }

  /** Gives the browser the session of our own web application. */
  function keepSession(token: string): void {
    jar.set(cookieName(context), { value: encodeURIComponent(token), path: '/' })
  }

  return { jar, load, follow, api, keepSession }
}

export type TestBrowser = ReturnType<typeof createBrowser>
