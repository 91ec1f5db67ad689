const apps: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Facebook', /FBAN|FBAV/],
  ['Instagram', /Instagram/],
  ['Line', /\bLine\//],
  ['LinkedIn', /LinkedInApp/],
  ['TikTok', /BytedanceWebview|musical_ly/i],
  ['X', /\bTwitter/],
  ['WeChat', /MicroMessenger/],
  ['Snapchat', /Snapchat/],
  ['MetaMask', /MetaMaskMobile/],
  ['Trust Wallet', /\bTrust\//],
]

/** The app whose built-in browser shows this page, where passkeys seldom work and sessions seldom last. */
export function findInAppBrowser(userAgent = globalThis.navigator?.userAgent ?? ''): string | undefined {
  const known = apps.find(([, mark]) => mark.test(userAgent))?.[0]
  // Android's own mark of a page inside an app.
  return known ?? (/; wv\)/.test(userAgent) ? 'this app' : undefined)
}
