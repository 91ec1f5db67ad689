/**
 * Maximum lengths of texts that a caller may send, in UTF-16 units. A longer one is refused first: normalizing,
 * hashing, matching and lookups are expensive, and all of them run before the caller is known. All other texts are
 * limited by the body of the request.
 */
export const longest = {
  username: 256,
  email: 254,
  password: 1024,
  /** Of a wallet. */
  label: 60,
  passkeyName: 80,
  /** Of a session, or in a mailed link. */
  token: 200,
  recoveryCode: 64,
  emailCode: 64,
  /** Between the two steps of a sign-in. */
  signInTicket: 16_000,
  /** Message that a wallet signs. */
  message: 8192,
  /** For accounts with many signers; its parts have further limits. */
  signature: 32_768,
  /** Of a wallet, whatever its chain. */
  address: 128,
  objectId: 128,
  installationId: 200,
  requestId: 200,
  deviceToken: 2000,
  deviceType: 200,
  role: 200,
  /** Text fields of a schedule: job name, description, cron, time zone, first time. */
  schedule: 1000,
} as const
