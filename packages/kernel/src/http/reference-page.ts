import type { OpenApiDocument, Operation, Parameter } from '@patchbay/contracts/core'
import { escape, plainPage, prose } from './plain-page.ts'

/** A readable page of an OpenAPI document, without a script: it works under the same policy as all our pages. */
export function referencePage(document: OpenApiDocument): string {
  const { title, version, description } = document.info
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')
  const sections = [...byTag].map(
    ([tag, list]) => `<section aria-labelledby="${slug(tag)}"><h2 id="${slug(tag)}">${escape(tag)}</h2>
${list.map(({ path, method, operation }) => operationCard(path, method, operation)).join('\n')}</section>`,
  )
  const links = operations.map(
    ({ method, path, operation }) =>
      `<li><a href="#${slug(operation.operationId)}"><b class="m">${method}</b> ${escape(path)}</a></li>`,
  )
  return plainPage(
    `${title} reference`,
    `<header><p class="crumb"><a href="/">Patchbay</a></p><h1>${escape(title)}</h1>
<p>${escape(description)}</p>
<p class="quiet">Version ${escape(version)} · <a href="/openapi.json">OpenAPI 3.1 document</a> · <a href="/problems">Problems</a></p></header>
<nav aria-label="Operations"><ul>${links.join('')}</ul></nav>
<main>${sections.join('\n')}</main>`,
  )
}

function operationCard(path: string, method: string, operation: Operation): string {
  const parts = [
    `<h3><b class="m">${method}</b> <code>${escape(path)}</code></h3>`,
    `<p>${escape(operation.summary)}</p>`,
    operation.description === undefined ? '' : `<p>${escape(operation.description)}</p>`,
    operation.parameters === undefined ? '' : parameterTable(operation.parameters),
    operation.requestBody === undefined ? '' : schemaBlock('Body', operation.requestBody.content),
    ...Object.entries(operation.responses).map(([status, { description, content }]) =>
      content === undefined || Number(status) >= 400
        ? `<p class="status"><b>${status}</b> ${prose(description)}</p>`
        : `<p class="status"><b>${status}</b> ${prose(description)}</p>${schemaBlock('', content)}`,
    ),
  ]
  return `<article id="${slug(operation.operationId)}">${parts.join('\n')}</article>`
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, required, description = '' }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${escape(description)}</td></tr>`,
  )
  return `<div class="wide"><table><thead><tr><th>Parameter</th><th>Where</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function schemaBlock(label: string, content: Readonly<Record<string, { readonly schema: unknown }>>): string {
  return Object.entries(content)
    .map(([type, { schema }]) => {
      const summary = label === '' ? escape(type) : `${escape(label)} · ${escape(type)}`
      return `<details><summary>${summary}</summary><pre tabindex="0">${escape(JSON.stringify(schema, null, 2))}</pre></details>`
    })
    .join('')
}

function slug(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, '-')
}
