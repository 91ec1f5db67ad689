/** The English texts of mails. `{name}` is filled in; every language has the same texts with the same placeholders. */
export const en = {
  /** In the place of a name that cannot be shown. */
  reader: 'there',
  testSubject: 'Test email from {app}',
  testText: 'This is a test email. {app} can send email.\n',
  verifySubject: 'Verify your email address for {app}',
  verifyText:
    'Hello {name},\n\nPlease verify your email address:\n\n{link}\n\nIf you did not request this, you can ignore this email.\n',
  resetSubject: 'Reset your password for {app}',
  resetText:
    'Hello {name},\n\nUse this link to choose a new password:\n\n{link}\n\nIf you did not request this, you can ignore this email. Your password stays the same.\n',
  resetTextAlone:
    'Hello {name},\n\nUse this link to choose a new password:\n\n{link}\n\nThis address was never verified while signed in to the account. The new password will therefore be the only sign-in method: wallets, passkeys and recovery codes will be removed from the account.\n\nIf you did not request this, you can ignore this email. Nothing will change.\n',
  resetTextGuarded:
    'Hello {name},\n\nUse this link to choose a new password:\n\n{link}\n\nThis address was never verified while signed in to the account, and the account is protected. You need its second factor to reset the password. Without it, you can use this link to create a new account with this address.\n\nIf you did not request this, you can ignore this email. Nothing will change.\n',
  emailCodeSubject: 'Your sign-in code for {app}',
  emailCodeText:
    'Hello {name},\n\nYour sign-in code for {app} is:\n\n{code}\n\nIt is valid for {minutes} minutes and works once, in the browser where you requested it.\n',
  emailCodeLink: 'Or open this link in the same browser:\n\n{link}\n',
  emailCodeAlone:
    'This address was never verified while signed in to the account. Signing in will therefore remove the password, wallets, passkeys and recovery codes of the account and sign out all devices.\n',
  emailCodeEnd:
    'Never share this code. Our team will not ask for it. If you did not request it, you can ignore this email.\n',
  emailCodeTookOver:
    'Your account was opened with a code sent to this address. The password, wallets, passkeys and recovery codes were removed and all devices were signed out because this address had never been verified while signed in to the account.',
  secondFactorOn: 'A second factor was turned on. It will be asked for when you sign in.',
  secondFactorOff: 'The second factor was turned off.',
  secondFactorGuessed:
    'Someone signed in with your password or another sign-in method and entered many wrong codes for the second factor. Codes are not accepted for a day; recovery codes and passkeys still work.',
  newDeviceSubject: 'New device signed in to your {app} account',
  newDeviceText:
    'Hello {name},\n\nA new device signed in to your account.\n\nDevice: {device}\nIP address: {address}\nTime: {time}\n\nIf this was you, no action is needed. If not, secure your account:\n\n{link}\n',
  unknown: 'unknown',
  changeSubject: 'Your {app} account was changed',
  changeText:
    'Hello {name},\n\n{what}\n\nTime: {time}. If this wasn’t you, sign in, review your sign-in methods and sign out other sessions.\n',
  additionText:
    'Hello {name},\n\n{what}\n\nTime: {time}. If this was you, no action is needed. If not, open this link until {until}. It works together with a password, wallet or passkey that your account had before. It removes everything that was added since, a second factor included, and signs out all devices:\n\n{link}\n',
  accountRecovered:
    'Your account was recovered. All devices were signed out, and the password and everything that was added recently were removed.',
  walletAdded: 'Wallet {address} was added to your account. It can now be used to sign in.',
  walletRemoved: 'Wallet {address} was removed from your account.',
  walletRestored: 'Wallet {address} was restored to your account.',
  passwordAdded: 'A password was added to your account.',
  passwordChanged: 'The password of your account was changed.',
  connectedApp:
    'An app now has access to your account: {app}. You can end its access in your account under Connected apps.',
  passkeyAdded: 'A passkey was added to your account.',
  accessTokenCreated: 'An access token named “{name}” was created for your account.',
  passkeyRemoved: 'A passkey was removed from your account.',
  passkeyRestored: 'A passkey was restored to your account.',
  guestIdAdded: 'A guest ID was added to your account. It can now be used to sign in.',
  guestIdRemoved: 'The guest ID was removed from your account.',
  identityAdded: 'You can now sign in to your account with {provider}.',
  identityRemoved: '{provider} was removed from the sign-in methods of your account.',
  mergedInto: 'Account {from} was merged into your account {into}. You can undo this until {until}.',
  mergedAwayLink:
    'If this was not you, open this link to undo the merge until {until}. Your account comes back, and you choose a new password:\n\n{link}\n',
  mergedAway:
    'Your account {from} was merged into account {into} and no longer exists. You can undo this until {until}.',
  mergeUndone: 'A merge of your account with another account was undone.',
  recoveryCodesMade: 'New recovery codes were generated. Your old codes no longer work.',
  recoveryCodeUsed: 'A recovery code was used to sign in. It can’t be used again.',
  alertsOff: 'New-device alerts were turned off.',
  emailChangedSubject: 'This email address was removed from your {app} account',
  emailChangedText:
    'Hello {name},\n\nThis email address was removed from your account or replaced with another one at {time}.\n\nIf this was you, no action is needed. If not, recover your account:\n\n{link}\n\nThe link works until {until}. It restores this address, signs out all devices and removes all sign-in methods added since.\n',
  emailChangedNotice:
    'Hello {name},\n\nThis email address was removed from your account or replaced with another one at {time}.\n\nIf this wasn’t you, sign in, review your sign-in methods and sign out other sessions.\n',
  emailRestored:
    'This email address was restored to your account. All devices were signed out, and the password and all sign-in methods added after the address was changed were removed.',
  passwordReset: 'A new password was set with a link that was emailed to you. Your old recovery codes no longer work.',
  passwordResetAlone:
    'A new password was set with a link that was emailed to you. It is now the only sign-in method: wallets, passkeys and recovery codes were removed because this address was never verified while signed in to the account.',
  deletionScheduled: 'Your account will be permanently deleted at {time}. You can restore it until then by signing in.',
  accountRestored: 'Your account was restored. It will no longer be deleted.',
} as const

export type MailWords = { readonly [Name in keyof typeof en]: string }
