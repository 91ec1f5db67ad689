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
  // The server takes no such name from anyone.
  'constructor',
  // Have a place of their own in the form.
  'avatar',
  'language',
  // Derived from the proven wallets; the Wallets screen shows them.
  'accounts',
  'ethAddress',
  'solAccounts',
  'solAddress',
])
