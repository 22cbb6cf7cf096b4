// The readers of sanctions lists, by small files in the layouts of their publishers.

import { describe, expect, test } from "vitest";
import type { ListFile } from "../../../src/people/list-files/list-file.ts";
import { type FileListName, readListFiles } from "../../../src/people/list-files/readers.ts";
import { Refusal } from "../../../src/platform/refusals/refusals.ts";
import {
  dfatFile,
  euFile,
  ofacFiles,
  sdnRow,
  textFile,
  ukFile,
  ukHeader,
  unFile,
} from "../../support/list-files.ts";

function read(list: FileListName, ...files: ListFile[]) {
  return readListFiles(list, files);
}

/** The code and the text of the first problem. */
function problemOf(list: FileListName, ...files: ListFile[]): string {
  try {
    readListFiles(list, files);
  } catch (error) {
    if (error instanceof Refusal) return `${error.problems[0].code} ${error.problems[0].message}`;
    throw error;
  }
  return "none";
}

const strong = (text: string) => ({ text, isWeak: false });
const weak = (text: string) => ({ text, isWeak: true });

describe("OFAC", () => {
  const [sdn, alt, add] = ofacFiles(
    [
      {
        key: 101,
        name: "EXAMPLOV, Ivan Petrovich",
        type: "individual",
        title: "Director",
        remarks:
          "DOB 14 Jun 1975; alt. DOB circa 1970; POB Kinshasa, Congo, Democratic Republic of the; nationality Russia; alt. nationality Cyprus; Passport 7176 (Serbia); a.k.a. 'THE SAMPLE'; Linked To: EXAMPLE TRADING.",
      },
      { key: 102, name: "EXAMPLE TRADING, LTD.", program: "TEST] [OTHER" },
      { key: 103, name: "SAMPLE STAR", type: "vessel", flag: "Panama" },
    ],
    ['101,1,"aka","SAMPLOV, Ivan",-0- ', '102,2,"fka","SAMPLE TRADING",-0- '],
    ['101,1,"1 Main St","Limassol","Cyprus",-0- ', '102,2,-0- ,-0- ,"Region: Crimea",-0- '],
  ) as [ListFile, ListFile, ListFile];

  test("an entry has its alternate and weak names, dates of birth, and the countries of remarks and addresses", () => {
    const { entries, publishedDay } = read("ofac-sdn", add, sdn, alt);
    expect(publishedDay).toBe("");
    expect(entries).toMatchObject([
      {
        key: "101",
        kind: "person",
        names: [strong("Ivan Petrovich EXAMPLOV"), strong("Ivan SAMPLOV"), weak("THE SAMPLE")],
        birthDates: ["1968/1972", "1975-06-14"],
        countries: ["COD", "CYP", "RUS", "SRB"],
        program: "TEST",
      },
      {
        key: "102",
        kind: "organisation",
        names: [strong("EXAMPLE TRADING, LTD."), strong("SAMPLE TRADING")],
        countries: ["UKR"],
        program: "TEST] [OTHER",
      },
      { key: "103", kind: "vessel", countries: ["PAN"], birthDates: [] },
    ]);
    expect(entries[0]?.remarks).toMatch(/^Director; DOB/);
    expect(read("ofac-consolidated", sdn, alt, add).entries).toEqual(entries);
  });

  test("LIST101: a file that is missing, cut, doubled or of another time is refused with its place", () => {
    expect(problemOf("ofac-sdn", sdn, add)).toMatch(/LIST101 alt\.csv.*is missing/);
    expect(problemOf("ofac-sdn", sdn, sdn, alt, add)).toMatch(/LIST101 .*second file of entries/);
    const cut = textFile("sdn.csv", `${sdnRow({ key: 101, name: "A" })}\n102,"B",-0- ,"TE`);
    expect(problemOf("ofac-sdn", cut, alt, add)).toMatch(
      /^LIST101 sdn\.csv, line 2, column 1: a quote/,
    );
    const short = textFile("sdn.csv", `${sdnRow({ key: 101, name: "A" })}\n102,"B",-0- \n`);
    expect(problemOf("ofac-sdn", short, alt, add)).toBe(
      "LIST101 sdn.csv, line 2, column 1: expected 12 columns, found 3",
    );
    const older = textFile("sdn.csv", `${sdnRow({ key: 101, name: "A" })}\n`);
    expect(problemOf("ofac-sdn", older, alt, add)).toMatch(
      /alt\.csv, line 2, .* no entry of this number/,
    );
    const twice = `${sdnRow({ key: 101, name: "A" })}\n${sdnRow({ key: 101, name: "B" })}\n`;
    expect(problemOf("ofac-sdn", textFile("sdn.csv", twice), alt, add)).toMatch(
      /line 2.*there twice/,
    );
    expect(problemOf("ofac-sdn", unFile([]))).toMatch(/^LIST101 consolidated\.xml/);
  });
});

describe("UN", () => {
  const person = {
    key: "TEi.001",
    names: ["IVAN", "PETROVICH", "EXAMPLOV"],
    more: `<NAME_ORIGINAL_SCRIPT>Иван Экзамплов</NAME_ORIGINAL_SCRIPT>
      <DESIGNATION><VALUE>Director</VALUE></DESIGNATION>
      <COMMENTS1>A note.</COMMENTS1>
      <NATIONALITY><VALUE>Russian Federation</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Ivan Samplov; Iwan Samplow</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>The Sample (birth name)</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Abu Sample (original script: Абу Сампл)</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ADDRESS><COUNTRY>Democratic People's Republic of Korea</COUNTRY></INDIVIDUAL_ADDRESS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1975-06-14</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1960</FROM_YEAR><TO_YEAR>1962</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1950</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_PLACE_OF_BIRTH><CITY>Some Town</CITY><COUNTRY>Iran (Islamic Republic of)</COUNTRY></INDIVIDUAL_PLACE_OF_BIRTH>`,
  };
  const entity = `<ENTITY><FIRST_NAME>EXAMPLE FRONT</FIRST_NAME><UN_LIST_TYPE>Test</UN_LIST_TYPE>
    <REFERENCE_NUMBER>TEe.001</REFERENCE_NUMBER><ENTITY_ALIAS><QUALITY>a.k.a.</QUALITY><ALIAS_NAME>EF</ALIAS_NAME></ENTITY_ALIAS>
    <ENTITY_ADDRESS><COUNTRY>Mali</COUNTRY></ENTITY_ADDRESS></ENTITY>`;

  test("people and entities have their names with quality, dates, countries and the day of the file", () => {
    const { entries, publishedDay } = read("un", unFile([person], "2026-11-01", entity));
    expect(publishedDay).toBe("2026-11-01");
    expect(entries).toEqual([
      {
        key: "TEi.001",
        kind: "person",
        names: [
          strong("IVAN PETROVICH EXAMPLOV"),
          strong("Abu Sample"),
          strong("Ivan Samplov"),
          strong("Iwan Samplow"),
          weak("The Sample"),
          strong("Абу Сампл"),
          strong("Иван Экзамплов"),
        ],
        birthDates: ["1948/1952", "1960/1962", "1975-06-14"],
        countries: ["IRN", "PRK", "RUS"],
        program: "Test",
        remarks: "Director; A note.",
      },
      expect.objectContaining({
        key: "TEe.001",
        kind: "organisation",
        names: [strong("EXAMPLE FRONT"), strong("EF")],
        countries: ["MLI"],
      }),
    ]);
  });

  test("LIST101: XML that is cut, has another root, or an entry without a reference is refused with its place", () => {
    const { bytes } = unFile([person]);
    const cut = { name: "un.xml", bytes: bytes.subarray(0, bytes.length - 60) };
    expect(problemOf("un", cut)).toMatch(
      /^LIST101 un\.xml, line \d+, column \d+: .*before all elements are closed/,
    );
    expect(problemOf("un", textFile("un.xml", "<export/>"))).toMatch(/line 1.*CONSOLIDATED_LIST/);
    expect(problemOf("un", unFile([{ ...person, key: "" }]))).toMatch(/line 3, .*REFERENCE_NUMBER/);
    expect(problemOf("un", unFile([person, person]))).toMatch(/there twice/);
    expect(problemOf("un", { name: "un.xml", bytes: Buffer.from([0xff, 0xfe, 0x00]) })).toMatch(
      /UTF-8/,
    );
    const bomb = textFile("un.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><CONSOLIDATED_LIST/>");
    expect(problemOf("un", bomb)).toMatch(/DOCTYPE/);
  });

  test("LIST102, LIST103: no file, and a list without entries", () => {
    expect(problemOf("un")).toMatch(/^LIST102/);
    expect(problemOf("un", unFile([]))).toMatch(/^LIST103/);
  });
});

describe("DFAT", () => {
  const header = [
    "Reference",
    "Name of Individual or Entity",
    "Type",
    "Name Type",
    "Date of Birth",
    "Place of Birth",
    "Citizenship",
    "Address",
    "Additional Information",
    "Committees",
  ];
  const rows = [
    [
      101,
      "Ivan EXAMPLOV",
      "Individual",
      "Primary Name",
      "a) 14 Jun. 1975 b) 16/09/1949",
      "Moscow",
      "Russian and Ukrainian",
      "NA",
      "A note",
      "Autonomous",
    ],
    [
      "101a",
      "Iwan Examplow",
      "Individual",
      "aka",
      "Approximately 1955- 1958",
      "na",
      "",
      "",
      "",
      "",
    ],
    ["101b1", "Иван Экзамплов", "individual", "Original Script", 27_559, "", "", "", "", ""],
    [102, "EXAMPLE FRONT", "Entity", "Primary name", "", "", "", "Bamako, Mali", "", ""],
  ];

  const expected = [
    {
      key: "101",
      kind: "person",
      names: [strong("Ivan EXAMPLOV"), strong("Iwan Examplow"), strong("Иван Экзамплов")],
      birthDates: ["1949-09-16", "1955/1958", "1975-06-14"],
      countries: ["RUS", "UKR"],
      program: "Autonomous",
      remarks: "A note",
    },
    {
      key: "102",
      kind: "organisation",
      names: [strong("EXAMPLE FRONT")],
      birthDates: [],
      countries: ["MLI"],
      program: "",
      remarks: "",
    },
  ];

  test("rows of one number are one entry, whatever the form of their dates", () => {
    const { entries, publishedDay } = read("dfat", dfatFile([header, ...rows]));
    expect(publishedDay).toBe("2026-11-02");
    expect(entries).toEqual(expected);
  });

  test("the columns are found by name: in another order, with new ones, below a title", () => {
    const order = [3, 9, 0, 8, 1, 7, 2, 6, 4, 5];
    const reordered = [header, ...rows].map((row, index) => [
      index === 0 ? "Targeted Financial Sanction" : "Yes",
      ...order.map((column) => row[column] as string | number),
      index === 0 ? "Alias Strength" : index === 2 ? "Weak" : "",
    ]);
    const { entries } = read("dfat", dfatFile([["Consolidated List"], ...reordered]));
    const [first, second] = expected;
    const names = [strong("Ivan EXAMPLOV"), weak("Iwan Examplow"), strong("Иван Экзамплов")];
    expect(entries).toEqual([{ ...first, names }, second]);
  });

  test("LIST101: no spreadsheet, a missing column, and a row without a number or a name", () => {
    expect(problemOf("dfat", textFile("dfat.xlsx", "no spreadsheet"))).toMatch(/not a ZIP archive/);
    const { bytes } = dfatFile([header, ...rows]);
    expect(problemOf("dfat", { name: "dfat.xlsx", bytes: bytes.subarray(0, 900) })).toMatch(
      /^LIST101 dfat\.xlsx/,
    );
    const changed = Buffer.from(bytes);
    const place = changed.indexOf("sheet1.xml") + 30;
    changed.writeUInt8(255 - changed.readUInt8(place), place);
    expect(problemOf("dfat", { name: "dfat.xlsx", bytes: changed })).toMatch(
      /^LIST101 .*can't be read/,
    );
    const without = [header, ...rows].map((row) => row.filter((_, column) => column !== 1));
    expect(problemOf("dfat", dfatFile(without))).toMatch(/"Name of Individual or Entity"/);
    expect(
      problemOf("dfat", dfatFile([header, ...rows, ["no number", "A NAME", "Entity"]])),
    ).toMatch(/dfat\.xlsx, line 6, column 1: expected a reference/);
    expect(problemOf("dfat", dfatFile([header, ...rows, [103, "", "Entity"]]))).toMatch(
      /line 6, .*a name/,
    );
    expect(problemOf("dfat", dfatFile([header, [103, "X", "Dragon"]]))).toMatch(/line 2, .*type/);
  });
});

describe("EU", () => {
  const person = `<sanctionEntity designationDetails="A detail" unitedNationId="" euReferenceNumber="EU.1.1" logicalId="11">
    <regulation regulationType="amendment" programme="TST" logicalId="1"><publicationUrl>https://example.com</publicationUrl></regulation>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias firstName="" lastName="" wholeName="The Sample" strong="false" regulationLanguage="en" logicalId="1"/>
    <nameAlias firstName="Ivan" middleName="" lastName="Examplov" wholeName="Ivan Examplov" function="Director" strong="true" regulationLanguage="en" logicalId="2"/>
    <nameAlias firstName="Iwan" middleName="P." lastName="Examplow" wholeName="" strong="true" logicalId="3"/>
    <citizenship region="" countryIso2Code="RU" countryDescription="RUSSIAN FEDERATION" logicalId="4"/>
    <birthdate circa="false" calendarType="GREGORIAN" city="X" birthdate="1975-06-14" dayOfMonth="14" monthOfYear="6" year="1975" countryIso2Code="00" countryDescription="UNKNOWN"/>
    <birthdate circa="true" calendarType="GREGORIAN" year="1970" countryIso2Code="IR" countryDescription="IRAN"/>
    <birthdate circa="false" calendarType="GREGORIAN" yearRangeFrom="1960" yearRangeTo="1962" countryIso2Code="" countryDescription="MALI"/>
    <birthdate circa="false" calendarType="ISLAMIC" year="1380" countryIso2Code="00"/>
    <remark>A remark.</remark>
  </sanctionEntity>`;
  const firm = `<sanctionEntity euReferenceNumber="" logicalId="12"><subjectType code="enterprise" classificationCode="E"/>
    <nameAlias wholeName="EXAMPLE FRONT" strong="true"/><address city="X" countryIso2Code="SY"/></sanctionEntity>`;

  test("people and enterprises have their strong and weak names, dates, countries and programmes", () => {
    const { entries, publishedDay } = read("eu", euFile(person + firm));
    expect(publishedDay).toBe("2026-11-02");
    expect(entries).toEqual([
      {
        key: "EU.1.1",
        kind: "person",
        names: [strong("Ivan Examplov"), strong("Iwan P. Examplow"), weak("The Sample")],
        birthDates: ["1960/1962", "1968/1972", "1975-06-14"],
        countries: ["IRN", "MLI", "RUS"],
        program: "TST",
        remarks: "A detail; Director; A remark.",
      },
      {
        key: "12",
        kind: "organisation",
        names: [strong("EXAMPLE FRONT")],
        birthDates: [],
        countries: ["SYR"],
        program: "",
        remarks: "",
      },
    ]);
  });

  test("LIST101: an entity without a name, and another root", () => {
    expect(problemOf("eu", euFile('<sanctionEntity logicalId="1"/>'))).toMatch(
      /line 2, .*a nameAlias/,
    );
    expect(problemOf("eu", unFile([]))).toMatch(/root element export/);
  });
});

describe("UK", () => {
  const rows = [
    "01/11/2026,TST0001,1,,EXAMPLOV,Ivan,Petrovich,,,,Primary Name,,Mr,Иван Экзамплов,The Test Regulations,Individual,A note,Cyprus,dd/mm/1975,Russia,Russia",
    "01/11/2026,TST0001,1,,SAMPLOV,Ivan,,,,,Alias,Low quality a.k.a,,,The Test Regulations,Individual,A note,,14/06/1975,,",
    "01/11/2026,TST0002,2,,EXAMPLE FRONT,,,,,,Primary Name,,,,The Test Regulations,Entity,,Mali,,,",
    "01/11/2026,TST0003,3,,SAMPLE STAR,,,,,,Primary Name,,,,The Test Regulations,Ship,,,,,",
  ];
  const expected = [
    {
      key: "TST0001",
      kind: "person",
      names: [strong("Ivan Petrovich EXAMPLOV"), weak("Ivan SAMPLOV"), strong("Иван Экзамплов")],
      birthDates: ["1975", "1975-06-14"],
      countries: ["CYP", "RUS"],
      program: "The Test Regulations",
      remarks: "A note",
    },
    { key: "TST0002", kind: "organisation", countries: ["MLI"] },
    { key: "TST0003", kind: "vessel", names: [strong("SAMPLE STAR")] },
  ];

  test("rows of the CSV with one id are one entry", () => {
    const { entries, publishedDay } = read("uk", ukFile(rows));
    expect(publishedDay).toBe("2026-11-02");
    expect(entries).toMatchObject(expected);
    const older = ukHeader.replace("Designation Type", '"Individual, Entity, Ship"');
    expect(read("uk", ukFile(rows, older)).entries).toEqual(entries);
  });

  test("the XML gives the same", () => {
    const name = (parts: string, type: string, strength = "") =>
      `<Name>${parts}<NameType>${type}</NameType><AliasStrength>${strength}</AliasStrength></Name>`;
    const xml = `<?xml version="1.0" encoding="utf-8"?><Designations><DateGenerated>02/11/2026</DateGenerated>
      <Designation><UniqueID>TST0001</UniqueID><Names>
        ${name("<Name1>Ivan</Name1><Name2>Petrovich</Name2><Name6>EXAMPLOV</Name6>", "Primary Name")}
        ${name("<Name1>Ivan</Name1><Name6>SAMPLOV</Name6>", "Alias", "Low quality a.k.a")}</Names>
        <NonLatinNames><NonLatinName><NameNonLatinScript>Иван Экзамплов</NameNonLatinScript></NonLatinName></NonLatinNames>
        <RegimeName>The Test Regulations</RegimeName><IndividualEntityShip>Individual</IndividualEntityShip>
        <OtherInformation>A note</OtherInformation>
        <Addresses><Address><AddressCountry>Cyprus</AddressCountry></Address></Addresses>
        <IndividualDetails><Individual><DOBs><DOB>dd/mm/1975</DOB><DOB>14/06/1975</DOB></DOBs>
          <Nationalities><Nationality>Russia</Nationality></Nationalities></Individual></IndividualDetails></Designation>
      <Designation><UniqueID>TST0002</UniqueID><Names>${name("<Name6>EXAMPLE FRONT</Name6>", "Primary Name")}</Names>
        <IndividualEntityShip>Entity</IndividualEntityShip>
        <Addresses><Address><AddressCountry>Mali</AddressCountry></Address></Addresses></Designation>
      <Designation><UniqueID>TST0003</UniqueID><Names>${name("<Name6>SAMPLE STAR</Name6>", "Primary Name")}</Names>
        <IndividualEntityShip>Ship</IndividualEntityShip></Designation></Designations>`;
    const { entries, publishedDay } = read("uk", textFile("UK.xml", xml));
    expect(publishedDay).toBe("2026-11-02");
    expect(entries).toMatchObject(expected);
  });

  test("LIST101: a missing column, a row that is cut, an unknown type", () => {
    const header = ukHeader.replace("Unique ID", "Number");
    expect(problemOf("uk", ukFile(rows, header))).toMatch(/"Unique ID"/);
    expect(problemOf("uk", ukFile([...rows, "01/11/2026,TST0004"]))).toMatch(/line 7, .*found 2/);
    expect(problemOf("uk", ukFile([(rows[2] as string).replace("Entity", "Thing")]))).toMatch(
      /line 3, .*Ship/,
    );
  });
});
