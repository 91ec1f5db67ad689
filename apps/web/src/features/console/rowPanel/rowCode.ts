/** Shell quotes: what an id holds is never run. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

export type Codes = { hook: string; parse: string; curl: string }

/** Code that reads an object: with React, with the Parse client, and on the command line as a signed-in user. */
export function writeRowCode(
  { serverUrl, appId }: { serverUrl: string; appId: string },
  className: string,
  objectId: string,
): Codes {
  const [name, id] = [JSON.stringify(className), JSON.stringify(objectId)]
  const url = `${serverUrl}/classes/${encodeURIComponent(className)}/${encodeURIComponent(objectId)}`
  return {
    hook: `const { data, error } = useDocument(${name}, ${id})`,
    parse: `const object = await new Parse.Query(${name}).get(${id})`,
    curl: [
      `curl ${quote(url)} \\`,
      `  -H ${quote(`X-Parse-Application-Id: ${appId}`)} \\`,
      `  -H "X-Parse-Session-Token: $SESSION_TOKEN"`,
    ].join('\n'),
  }
}
