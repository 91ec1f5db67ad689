/**
 * Speaks to the server as another device would: by the wire, with its own session.
 *
 * @param {string} url
 */
export function createApi(url) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {Record<string, unknown>} [body]
   * @param {{ token?: string, userAgent?: string, installation?: string }} [options]
   * @returns {Promise<Record<string, any>>}
   */
  async function call(method, path, body, { token, userAgent, installation } = {}) {
    const config = await (await fetch(`${url}/config.json`)).json()
    /** @type {Record<string, string>} */
    const headers = { 'Content-Type': 'application/json', 'X-Parse-Application-Id': config.appId }
    if (config.javascriptKey) headers['X-Parse-Javascript-Key'] = config.javascriptKey
    if (token) headers['X-Parse-Session-Token'] = token
    if (userAgent) headers['User-Agent'] = userAgent
    if (installation) headers['X-Parse-Installation-Id'] = installation
    const response = await fetch(`${url}/server${path}`, { method, headers, body: body && JSON.stringify(body) })
    const answer = await response.json()
    return { status: response.status, ...answer }
  }
  return {
    call,
    /** @param {Record<string, unknown>} user */
    signUp: (user) => call('POST', '/users', user),
    /**
     * @param {{ username: string, password: string }} credentials
     * @param {string} [userAgent]
     */
    logIn: (credentials, userAgent) => call('POST', '/login', credentials, { userAgent }),
    /** @param {string} token */
    me: (token) => call('GET', '/users/me', undefined, { token }),
  }
}
