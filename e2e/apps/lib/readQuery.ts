/** What the test gives a page: its address is the only way to it. */
export function readQuery(): { appId: string; serverUrl: string; [name: string]: string } {
  const { appId = '', serverUrl = '', ...rest } = Object.fromEntries(new URLSearchParams(window.location.search))
  return { appId, serverUrl, ...rest }
}
