/** Every word of the sheet, in one place: give your own, or another language, by the property `words`. */
export const sheetWords = {
  signIn: 'Sign in',
  linkWallet: 'Link a wallet',
  signInWith: (name: string) => `Sign in with ${name}`,
  linkNamed: (name: string) => `Link ${name}`,
  close: 'Close',
  back: 'Back to all ways in',
  waysIn: 'Ways to sign in',
  firstTime: 'New here? Your wallet makes your account.',

  lastTime: 'Last time',
  connected: 'Connected',
  phone: 'Phone',
  phoneHint: 'Scan a code with your wallet app',
  phoneHintHere: 'Open a wallet app on this phone',
  passkey: 'Passkey',
  passkeyName: 'a passkey',
  passkeyHint: 'Fingerprint, face or screen lock',
  password: 'E-mail or user name',
  passwordName: 'your password',
  passwordHint: 'With your password',
  demo: 'Demo wallet',
  demoHint: 'A throw-away key in this browser, for trying things out',

  copy: (rdns: string) => `Claims to be ${rdns} as well`,
  noWallet: 'No wallet found in this browser.',
  noWalletHint: 'One that you install or switch on shows up here by itself.',
  getWallet: 'Get a wallet',
  ended: 'You were signed out on another device. Sign in again to go on.',
  inApp: (app: string) => `This page is open inside ${app}, where passkeys seldom work. Open it in Safari or Chrome.`,
  copyAddress: 'Copy the address of this page',

  stepConnect: 'Connect',
  stepSign: 'Sign',
  stepDone: 'Done',
  stepState: { done: 'done', current: 'under way', next: 'still to come' },

  connecting: (wallet: string) => `Connect in ${wallet}.`,
  connectingHint: 'Choose the account that you want to use there.',
  locked: (wallet: string) => `Unlock ${wallet} to go on.`,
  hidden: 'Don’t see it? Click its icon in the toolbar, or look behind this window.',
  hiddenApp: 'Open your wallet app and answer there.',
  preparingCode: 'Preparing the code…',
  pending: (wallet: string) => `${wallet} is already asking.`,
  pendingHint: 'Open it and answer there.',
  refused: 'You cancelled. Nothing was signed.',
  refusedHint: 'Try again whenever you like.',
  signing: (wallet: string) => `Approve in ${wallet}.`,
  free: 'Signing is free and sends nothing on chain.',
  again: 'That took a while, please sign again.',
  checking: 'Checking your signature…',
  checkingSlow: 'This takes longer than usual.',
  checkingSmart: (chain: string | undefined) =>
    chain ? `Checking your smart account on ${chain}…` : 'Checking your smart account…',
  unsigned: 'Connected, not signed in.',
  unsignedHint: 'You cancelled the signature. Nothing was signed.',
  serverBack: 'The server is back.',
  serverBackHint: 'Sign once more to finish.',
  changed: (wallet: string) => `The account changed in ${wallet}.`,
  changedHint: (from: string | undefined, to: string | undefined) =>
    from && to ? `It was ${from}, now it is ${to}. Nobody was signed in.` : 'Nobody was signed in.',
  taken: 'This wallet belongs to another account.',
  takenHint: 'If that account is yours too, sign in there, or bring the two together.',
  merging: 'Bring both accounts together?',
  mergingHint: (from: string, into: string, wallets: number, passkeys: number) =>
    `${into} takes over from ${from}: ${listCounts(wallets, passkeys)}. You can undo it for a while.`,
  mergingDetails: (from: string, fields: readonly string[], kept: readonly string[], sessions: number) => [
    ...(fields.length > 0 ? [`New on your account: ${fields.join(', ')}.`] : []),
    ...(kept.length > 0 ? [`Yours stay as they are: ${kept.join(', ')}.`] : []),
    ...(sessions > 0 ? [`${from} is signed out on ${sessions === 1 ? 'one device' : `${sessions} devices`}.`] : []),
  ],
  unchecked: 'We couldn’t check your smart account. Not your fault.',
  uncheckedHint: (chain: string | undefined) => `${chain ?? 'Its network'} gives no answer right now.`,
  offline: 'No connection to the server.',
  offlineHint: (wallet: string, seconds: number) =>
    seconds > 0
      ? `${wallet} stays connected. Trying again in ${seconds} s.`
      : `${wallet} stays connected. Trying again now…`,
  limited: 'Too many tries in a short time.',
  limitedHint: (wait: string) => (wait ? `You can go on in ${wait}.` : 'You can go on now.'),
  failed: 'That did not work.',
  done: 'Signed in.',
  linked: 'Linked.',

  tryAgain: 'Try again',
  tryNow: 'Try now',
  startOver: 'Start over',
  signInAs: (account: string | undefined) => (account ? `Sign in as ${account}` : 'Sign in'),
  otherAccount: 'Use another account',
  notNow: 'Not now',
  otherWay: 'Other ways in',
  signInThere: 'Sign in there',
  mergeAsk: 'Merge…',
  merge: 'Merge',
  message: 'What you sign',

  scan: 'Scan with your phone.',
  scanHint: 'Open your wallet app there and point it at the code.',
  openApp: 'Open wallet app',
  openAppLead: 'Go on in your wallet app.',
  openAppHint: 'It asks you to connect.',
  appMissing: 'No wallet app opened?',
  appMissingHint: 'Install one, or use the code from another phone.',
  showCode: 'Show the code',
  codeLabel: 'QR code for your wallet app',
  copyLink: 'Copy link',
  copied: 'Copied',

  passkeyAsking: 'Use your passkey.',
  passkeyAskingHint: 'Your browser asks for it in a window of its own.',
  passkeyCancelled: 'No passkey was used.',
  passkeyCancelledHint: 'Try again, or take another way in.',

  username: 'User name or e-mail',
  usernameMissing: 'Enter your user name or e-mail address.',
  passwordLabel: 'Password',
  passwordMissing: 'Enter your password.',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  wrongPassword: 'Wrong user name or password.',
  unreachable: 'The server cannot be reached. Check your connection, then try again.',
  forgot: 'Forgot it?',
  signUp: 'Create an account',
}

export type SheetWords = typeof sheetWords

function listCounts(wallets: number, passkeys: number): string {
  const parts = [
    [wallets, 'wallet'],
    [passkeys, 'passkey'],
  ] as const
  const counts = parts.flatMap(([amount, noun]) => (amount ? [`${amount} ${noun}${amount === 1 ? '' : 's'}`] : []))
  return counts.join(' and ') || 'its fields'
}
