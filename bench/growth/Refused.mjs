/** The server refused the request, which is a figure, too: a refused page costs its caller everything. */
export class Refused extends Error {
  /** @param {string} request @param {number} status @param {string} body */
  constructor(request, status, body) {
    super(`${request}: ${status} ${body.slice(0, 300)}`)
    const code = /"code": ?(\d+)/.exec(body)?.[1]
    this.summary = `refused with ${status}${code ? `, code ${code}` : ''}`
  }
}
