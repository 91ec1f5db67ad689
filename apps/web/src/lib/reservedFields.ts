/** Names that every user record has, or that the server keeps for itself. */
export const reservedFields: ReadonlySet<string> = new Set([
  'objectId',
  'createdAt',
  'updatedAt',
  'username',
  'password',
  'email',
  'emailVerified',
  'sessionToken',
  'authData',
  'ACL',
  'className',
  // Has a place of its own in the form.
  'avatar',
  // Derived from the proven wallets; the Wallets screen shows them.
  'accounts',
  'ethAddress',
  'solAccounts',
  'solAddress',
])
