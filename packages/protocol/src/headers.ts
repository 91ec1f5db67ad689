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
  cloudContext: 'X-Parse-Cloud-Context',
  /**
   * `cookie`: the session lives in an HttpOnly cookie of the server. Being a custom header, it
   * cannot be sent from another site without a preflight, which the server refuses.
   */
  sessionTransport: 'X-Countersign-Session',
} as const
