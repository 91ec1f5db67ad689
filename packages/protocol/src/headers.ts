/** Headers of the wire. HTTP reads them without regard to case. */
export const headers = {
  applicationId: 'X-Parse-Application-Id',
  javascriptKey: 'X-Parse-Javascript-Key',
  restApiKey: 'X-Parse-REST-API-Key',
  clientKey: 'X-Parse-Client-Key',
  windowsKey: 'X-Parse-Windows-Key',
  masterKey: 'X-Parse-Master-Key',
  sessionToken: 'X-Parse-Session-Token',
  installationId: 'X-Parse-Installation-Id',
  clientVersion: 'X-Parse-Client-Version',
  revocableSession: 'X-Parse-Revocable-Session',
  requestId: 'X-Parse-Request-Id',
  /** Seconds that the server keeps the response to this request id, at most `offline.requestAge`. */
  requestAge: 'X-Countersign-Request-Age',
  cloudContext: 'X-Parse-Cloud-Context',
  /** The secret of an invitation, where signing up takes one. */
  invitation: 'X-Countersign-Invitation',
  /** `1`: the session of an operator acts with the rights of its role. Without it the operator is a user as any other. */
  console: 'X-Countersign-Console',
  /**
   * `cookie`: the session lives in an HttpOnly cookie of the server. Being a custom header, it
   * cannot be sent from another site without a preflight, which the server refuses.
   */
  sessionTransport: 'X-Countersign-Session',
  /** Seconds that the result of a query may be old: read replicas may serve it. */
  maxStaleness: 'X-Countersign-Max-Staleness',
} as const

/** Source of a query with `maxStaleness`: `primary`, or `replica; age=0.412` with the age in seconds. */
export const readFromHeader = 'X-Countersign-Read-From'

/**
 * Tells a page why its cookie session will not work: `cookie-origin` or `cookie-insecure`, and the server's public
 * address after it.
 */
export const noticeHeader = 'X-Countersign-Notice'
