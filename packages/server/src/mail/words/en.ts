/** What mails say. `{name}` is filled in; every other language has the same words with the same places. */
export const en = {
  /** In the place of a name that cannot be shown. */
  reader: 'there',
  verifySubject: 'Confirm your e-mail address for {app}',
  verifyText:
    'Hello {name},\n\nplease confirm that this is your e-mail address:\n\n{link}\n\nIf you did not ask for this, you can ignore this mail.\n',
  resetSubject: 'Choose a new password for {app}',
  resetText:
    'Hello {name},\n\nfollow this link to choose a new password:\n\n{link}\n\nIf you did not ask for this, you can ignore this mail; your password stays as it is.\n',
  resetTextAlone:
    'Hello {name},\n\nfollow this link to choose a new password:\n\n{link}\n\nThis address was never confirmed from within the account. The new password will therefore be the only way to sign in: wallets, passkeys and recovery codes are removed from the account.\n\nIf you did not ask for this, you can ignore this mail; everything stays as it is.\n',
  newDeviceSubject: 'A new device signed in to your account at {app}',
  newDeviceText:
    'Hello {name},\n\na device that was not here before signed in to your account.\n\nDevice: {device}\nAddress: {address}\nTime: {time}\n\nIf it was you, there is nothing to do. If not, say so here:\n\n{link}\n',
  unknown: 'unknown',
  changeSubject: 'A change to your account at {app}',
  changeText:
    'Hello {name},\n\n{what}\n\nThis was at {time}. If it was not you, sign in, look at your ways in and end the other sessions.\n',
  walletAdded: 'The wallet {address} was added to your account. It can sign in to it from now on.',
  walletRemoved: 'The wallet {address} was removed from your account.',
  walletRestored: 'The wallet {address} was put back into your account.',
  passkeyAdded: 'A passkey was added to your account.',
  passkeyRemoved: 'A passkey was removed from your account.',
  mergedInto: 'The account {from} was merged into your account {into}. It can be undone for 24 hours.',
  mergedAway: 'Your account {from} was merged into the account {into} and is gone. It can be undone for 24 hours.',
  mergeUndone: 'A merge of your account with another one was undone.',
  recoveryCodesMade: 'New recovery codes were made. Those made before do not work any more.',
  recoveryCodeUsed: 'A recovery code was used to sign in. It does not work a second time.',
  alertsOff: 'Alerts of new devices were turned off.',
  emailChangedSubject: 'This e-mail address was removed from your account at {app}',
  emailChangedText:
    'Hello {name},\n\nthis e-mail address was removed from your account, or replaced by another one, at {time}.\n\nIf it was you, there is nothing to do. If not, take your account back here:\n\n{link}\n\nThe link works until {until}. It brings this address back, signs everyone out and removes what was added to sign in since.\n',
  emailChangedNotice:
    'Hello {name},\n\nthis e-mail address was removed from your account, or replaced by another one, at {time}.\n\nIf it was not you, sign in, look at your sign-in methods and end the other sessions.\n',
  emailRestored:
    'This e-mail address belongs to your account again. Everyone was signed out, the password was removed, and so was everything that was added to sign in since the address had been changed.',
  passwordReset:
    'A new password was chosen by a link that was mailed to you. Recovery codes made before do not work any more.',
  passwordResetAlone:
    'A new password was chosen by a link that was mailed to you. It is the only way to sign in now: wallets, passkeys and recovery codes were removed, since this address had never been confirmed from within the account.',
  deletionScheduled: 'Your account will be deleted for good at {time}. Until then you can restore it by signing in.',
  accountRestored: 'Your account was restored. It is not deleted any more.',
} as const

export type MailWords = { readonly [Name in keyof typeof en]: string }
