/** Documents used by the rows, all of the owner's. */
export type Things = {
  doc: string
  user: string
  sessionId: string
  role: string
  device: string
  className: string
}

/** A call of one endpoint, and the response for each kind of caller. */
export type PermissionRow = {
  name: string
  /** Creates the document again for each caller, because the call may delete it. */
  fresh?: boolean
  /** A call that ends sessions gets one of its own. */
  ends?: boolean
  call: (things: Things) => [method: string, path: string, body?: object]
  /** Status, and code where there is one: of the guest, another user, a member of the role, the owner, the master key. */
  expected: [guest: string, other: string, member: string, owner: string, master: string]
}

type Expected = PermissionRow['expected']

/** Content that strangers must not read. */
export const secret = 'for-the-owner-alone'

export const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })

let count = 0

/** For names that must be new ones with each call. */
export const nextNumber = () => ++count

/** An address on a chain. */
export const someone = `0x${'1'.repeat(40)}`

/** The same for every caller. */
export const nobody = (code: string): Expected => [code, code, code, code, code]

export const signedIn = (code: string): Expected => ['400/209', code, code, code, '400/209']

export const operatorOnly = (code: string): Expected => ['404/108', '404/108', '404/108', '404/108', code]

export const masterOnly = (code: string): Expected => ['403', '403', '403', '403', code]
