export interface Answer {
  readonly status: number
  readonly text: string
}

/** Over HTTP, with an API key or as nobody. */
export async function ask(url: string, key?: string): Promise<Answer> {
  const answer = await fetch(url, key === undefined ? {} : { headers: { 'x-api-key': key } })
  return { status: answer.status, text: await answer.text() }
}
