const warned = new Set<string>()

/** Warns in the console, once, why the browser will not keep the session cookie. Loaded if the server says so. */
export function warnOfNotice(notice: string): void {
  if (warned.has(notice)) return
  warned.add(notice)
  const [kind, publicUrl] = notice.split(' ')
  const page = typeof location === 'undefined' ? 'This page' : `This page (${location.origin})`
  console.warn(
    kind === 'cookie-insecure'
      ? `Countersign: ${page} is not served over https, but the server's publicUrl is ${publicUrl}, so the browser will not store the session cookie. Open the page at that URL, or correct publicUrl.`
      : `Countersign: ${page} requested a cookie session, but publicUrl of the server is ${publicUrl}, so no cookie is set. Correct publicUrl (COUNTERSIGN_PUBLIC_URL), set trustProxy behind a proxy, or add the page's origin to allowOrigin.`,
  )
}
