/**
 * Documents as the web has them. What has to stay stays byte for byte; `kept` is the document after rewriting, without
 * our head, where that differs from the document.
 */
export interface HostileDocument {
  readonly name: string
  readonly document: string
  readonly kept?: string
  readonly base?: string
}

const page = (name: string, document: string, kept?: string, base?: string): HostileDocument => ({
  name,
  document,
  ...(kept === undefined ? {} : { kept }),
  ...(base === undefined ? {} : { base }),
})

/** Nothing of them changes. */
const BROKEN: readonly HostileDocument[] = [
  page('nothing', ''),
  page('blank', ' \n\t\r\n '),
  page('words alone', 'hello'),
  page('end tags without a name', '</></p></><p></>x</></p></>'),
  page('a byte order mark that was text', '\uFEFFhello'),
  page('no html, head or body', '<!doctype html><p>hello'),
  page(
    'old doctype',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><p>x',
  ),
  page('doctype after a comment', '<!-- first --><!doctype html><p>x'),
  page('doctype after text', 'text<!doctype html><p>x'),
  page('two doctypes', '<!doctype html><!doctype html><p>x'),
  page('doctype without an end', '<!doctype html <p>x'),
  page(
    'xml declaration',
    '<?xml version="1.0"?><!doctype html><html xmlns="http://www.w3.org/1999/xhtml"><p/>',
  ),
  page(
    'script before everything',
    '<script>document.write("<p>")</script><!doctype html><html><head></head>',
  ),
  page(
    'script between html and head',
    '<!doctype html><html><script>1</script><head><title>t</title></head>',
  ),
  page('two heads', '<html><head><title>a</title></head><head><title>b</title></head><body>'),
  page('two bodies', '<body class=a><body class=b><p>x'),
  page('head after body', '<body><p>x</p></body><head><title>late</title></head>'),
  page('content after the end', '<html><body></body></html><p>late</p><!-- end -->'),
  page('closing tags alone', '</p></div></html></body>'),
  page('mismatched tags', '<b><i>x</b></i><table><p>y</table>'),
  page('nested forms and links', '<form><form><a href=a><a href=b>x</a></a></form></form>'),
  page('null bytes', '<p>a\0b</p><\0p><a hr\0ef="\0">\0</a>'),
  page('control characters', '<p>\u0001\u0008\u000b\u007f\u0080\uFFFE</p>'),
  page('lone surrogates', '<p>\ud800 \udfff</p><a title="\ud800">x</a>'),
  page('astral letters', '<p>🦊𝒳</p>'.repeat(50)),
  page('carriage returns', '<p>a\r\nb\rc</p><pre>\r\nx</pre><textarea>\r\ny</textarea>'),
  page('pre with a first line', '<pre>\n\nx</pre>'),
  page('unquoted and strange attributes', '<a href=x title=\'a"b\' data-x="a\'b" =y "z" <b>x</a>'),
  page('the same attribute twice', '<a href=one href=two>x</a>'),
  page('attributes on a closing tag', '<p>x</p class=y>'),
  page('entities', '<p>&amp;&lt;&copy;&notanentity;&#x0;&#xD800;&#1114112;&</p>'),
  page('less-than in text', '<p>1 < 2 <3 <> </></p>'),
  page('comment with tags', '<!-- <script>x</script> --><!--><p>x<!---->'),
  page('comment without an end', '<p>x<!-- and so on <b>'),
  page('comment that looks ended', '<!-- --!><p>x</p> --><p>y'),
  page('conditional comment', '<!--[if IE]><p>x</p><![endif]--><p>y'),
  page('cdata', '<![CDATA[ <p>x</p> ]]><svg><![CDATA[ <p>x</p> ]]></svg>'),
  page('script with tags', '<script>var a = "<base href=x>"; var b = "<meta http-equiv=refresh>"</script>'),
  page('script with a comment', '<script><!-- <script> </script> --></script><p>x'),
  page('script that is not closed', '<p>x</p><script>var a = 1'),
  page('script of data', '<script type="application/json">{"a":"</p><base href=x>"}</script>'),
  page('style with tags', '<style>a::before{content:"<base href=x>"}</style>'),
  page('title with tags', '<title><base href=x></title>'),
  page('textarea with tags', '<textarea><meta http-equiv="content-security-policy" content="x"></textarea>'),
  page('plaintext', '<p>x<plaintext><base href=x></plaintext><p>y'),
  page('xmp and listing', '<xmp><base href=x></xmp><listing>\n<p>x</listing>'),
  page('noscript', '<noscript><img src=x><p>Please turn scripts on</noscript>'),
  page('noscript in the head', '<head><noscript><style>p{}</style></noscript></head><p>x'),
  page('frames', '<html><frameset cols="50%,50%"><frame src=a><frame src=b></frameset></html>'),
  page(
    'nested frames',
    '<iframe src=a><iframe src=b></iframe></iframe><iframe srcdoc="&lt;iframe src=c&gt;"></iframe>',
  ),
  page('object and embed', '<object data=a><embed src=b></object><applet code=c></applet>'),
  page('svg', '<svg viewBox="0 0 1 1"><a xlink:href="#x"><foreignObject><p>x</p></foreignObject></a></svg>'),
  page('script in svg', '<svg><script>alert(1)</script><style><!-- </style>--></style></svg>'),
  page('mathml', '<math><mi>x</mi><annotation-xml encoding="text/html"><p>y</p></annotation-xml></math>'),
  page('template', '<template><p>x</p><script>1</script></template>'),
  page('shadow root', '<div><template shadowrootmode="open"><slot></slot></template>x</div>'),
  page('table with strays', '<table>x<tr><td>1<td>2<tr>y</table>'),
  page('select with strays', '<select><option>a<option>b<p>c</select>'),
  page('custom elements', '<my-el a=1><my-el.x></my-el.x></my-el>'),
  page('upper case', '<HTML><HEAD><TITLE>x</TITLE></HEAD><BODY ONLOAD="x()">'),
  page('a policy that is only text', '<p>&lt;meta http-equiv="content-security-policy"&gt;</p>'),
  page(
    'harmless meta',
    '<meta charset="x"><meta name="viewport" content="y"><meta property="og:title" content="z">',
  ),
  page('http-equiv that describes', '<meta http-equiv="Content-Type" content="text/html; charset=x"><p>'),
  page('ten thousand levels', '<div>'.repeat(10_000)),
  page('a long word', 'x'.repeat(200_000)),
]

const CSP = 'content-security-policy'

/** Something of them goes, or leads elsewhere. */
const CHANGED: readonly HostileDocument[] = [
  page('a policy', `<head><meta http-equiv="${CSP}" content="script-src 'none'"><p>x`, '<head><p>x'),
  page('a policy in capitals', `<META HTTP-EQUIV="Content-Security-Policy" CONTENT="x"><p>x`, '<p>x'),
  page('a policy with blanks', `<meta http-equiv=" ${CSP} " content=x><p>x`, '<p>x'),
  page('a policy with references', '<meta http-equiv="content&#45;security-policy" content=x><p>x', '<p>x'),
  page('a policy that is only reported', `<meta http-equiv="${CSP}-report-only" content=x>`, ''),
  page('a policy in the body', `<body><p>x</p><meta http-equiv=${CSP} content=x>`, '<body><p>x</p>'),
  page('a policy that closes itself', `<meta http-equiv=${CSP} content=x /><p>`, '<p>'),
  page('framing forbidden in markup', '<meta http-equiv=x-frame-options content=DENY><p>', '<p>'),
  page('a cookie in markup', '<meta http-equiv="set-cookie" content="a=b"><p>', '<p>'),
  page('an origin trial', '<meta http-equiv="origin-trial" content="x"><p>', '<p>'),
  page('a referrer for all', '<meta name="Referrer" content="unsafe-url"><p>', '<p>'),
  page(
    'a referrer for one',
    '<img src="a?b=1&amp;c=2" referrerpolicy="unsafe-url" alt=\'"\'><p>',
    '<img src="a?b=1&#38;c=2" alt="&#34;"><p>',
  ),
  page('a base', '<head><base href="/assets/"><p>x', '<head><p>x', 'http://site.example/assets/'),
  page('a base elsewhere', '<base href="https://cdn.example/a/b">', '', 'https://cdn.example/a/b'),
  page('a base without scheme', '<base href="//cdn.example/">', '', 'http://cdn.example/'),
  page('two bases', '<base href="/one/"><base href="/two/">', '', 'http://site.example/one/'),
  page(
    'a base with a target alone',
    '<base target="_top"><base href="/one/">',
    '',
    'http://site.example/one/',
  ),
  page(
    'a base that runs',
    '<base href="javascript:alert(1)//"><p>',
    '<p>',
    'http://site.example/dir/page?q#part',
  ),
  page('a base of data', '<base href="data:text/html,x">', '', 'http://site.example/dir/page?q#part'),
  page('a base late in the body', '<p>x</p><base href="/late/">', '<p>x</p>', 'http://site.example/late/'),
  page(
    'moving on',
    '<meta http-equiv="refresh" content="5; url=next?a=1&amp;b=2">',
    `<meta http-equiv="refresh" content="5; url=http://proxy/page/t/${encodeURIComponent('http://site.example/dir/next?a=1&b=2')}">`,
  ),
  page(
    'moving on in quotes, in capitals',
    `<META HTTP-EQUIV=Refresh CONTENT="0;URL='https://other.example/'">`,
    `<meta http-equiv="refresh" content="0; url=http://proxy/page/t/${encodeURIComponent('https://other.example/')}">`,
  ),
  page('moving on to a script', '<meta http-equiv=refresh content="0;url=javascript:alert(1)">', ''),
  page('moving on to data', '<meta http-equiv=refresh content="0;url=data:text/html,x">', ''),
  page('loading again', '<meta http-equiv=refresh content=30>', '<meta http-equiv="refresh" content="30">'),
  page('moving on to nowhere', '<meta http-equiv=refresh content="soon">', ''),
]

export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [...BROKEN, ...CHANGED]
