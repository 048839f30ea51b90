// Markdown as elements, from the tokens of the parser that the desk uses too. Text never becomes HTML.

import { Lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';

// As the desk reads it: dashes below a line make no heading, and HTML stays what was typed.
class Reader extends Lexer {
  constructor() {
    super({ gfm: true, breaks: true });
    const { tokenizer } = this.options;
    if (tokenizer === undefined || tokenizer === null) return;
    tokenizer.lheading = () => undefined;
    tokenizer.html = () => undefined;
    tokenizer.tag = () => undefined;
  }
}

export function MarkdownView({ source }: { source: string }) {
  return <div class="markdown">{drawn(new Reader().lex(source))}</div>;
}

function drawn(tokens: readonly Token[] | undefined): ComponentChildren {
  return tokens?.map((token, at) => <Drawn key={at} token={token as Tokens.Generic & Token} />);
}

function Drawn({ token }: { token: Token }) {
  switch (token.type) {
    case 'paragraph':
      return <p>{drawn(token.tokens)}</p>;
    case 'heading':
      // The page has its own headings.
      return (
        <p>
          <strong>{drawn(token.tokens)}</strong>
        </p>
      );
    case 'blockquote':
      return <blockquote>{drawn(token.tokens)}</blockquote>;
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'strong':
      return <strong>{drawn(token.tokens)}</strong>;
    case 'em':
      return <em>{drawn(token.tokens)}</em>;
    case 'del':
      return <del>{drawn(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'link':
      return <SafeLink href={token.href}>{drawn(token.tokens)}</SafeLink>;
    case 'image':
      return <SafeLink href={token.href}>{token.text || token.href}</SafeLink>;
    case 'checkbox':
      return <>{token.checked ? '☑ ' : '☐ '}</>;
    case 'space':
    case 'def':
      return null;
    default:
      return <>{'tokens' in token && token.tokens ? drawn(token.tokens) : 'text' in token ? token.text : token.raw}</>;
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, at) => <li key={at}>{drawn(item.tokens)}</li>);
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { table: Tokens.Table }) {
  return (
    <table>
      <thead>
        <tr>
          {table.header.map((cell, at) => (
            <th key={at}>{drawn(cell.tokens)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, line) => (
          <tr key={line}>
            {row.map((cell, at) => (
              <td key={at}>{drawn(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SafeLink({ href, children }: { href: string; children: ComponentChildren }) {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
