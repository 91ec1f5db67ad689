/** Parameters from the test, passed in the page's URL. */
export function readQuery(): { appId: string; serverUrl: string; [name: string]: string } {
  const { appId = '', serverUrl = '', ...rest } = Object.fromEntries(new URLSearchParams(window.location.search))
  return { appId, serverUrl, ...rest }
}
