/** What the contract says a text must look like, as a question: pages ask before the server has to. */
export function textRule(schema: object): (text: string) => boolean {
  const { pattern = '', maxLength = Infinity } = schema as { pattern?: string; maxLength?: number }
  const expression = new RegExp(pattern, 'u')
  return (text) => text.length <= maxLength && expression.test(text)
}
