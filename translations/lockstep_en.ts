<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>HealthWords</name>
    <message numerus="yes">
        <source>%1 keeps %Ln rank(s) waiting in collective %2: %3</source>
        <translation>
            <numerusform>%1 keeps %Ln rank waiting in collective %2: %3</numerusform>
            <numerusform>%1 keeps %Ln ranks waiting in collective %2: %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::CallsPanel</name>
    <message numerus="yes">
        <source>%Ln call(s)</source>
        <translation>
            <numerusform>%Ln call</numerusform>
            <numerusform>%Ln calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln call(s)</source>
        <translation>
            <numerusform>%1 of %Ln call</numerusform>
            <numerusform>%1 of %Ln calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ClusterCanvas</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerExport</name>
    <message numerus="yes">
        <source>%Ln file(s) written to %1</source>
        <translation>
            <numerusform>%Ln file written to %1</numerusform>
            <numerusform>%Ln files written to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoundText</name>
    <message numerus="yes">
        <source>%Ln finding(s), the worst: %1</source>
        <translation>
            <numerusform>%Ln finding, the worst: %1</numerusform>
            <numerusform>%Ln findings, the worst: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::FindingList</name>
    <message numerus="yes">
        <source>Show %Ln more of this kind</source>
        <translation>
            <numerusform>Show %Ln more of this kind</numerusform>
            <numerusform>Show %Ln more of this kind</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::FixPreview</name>
    <message numerus="yes">
        <source>Calls that do it (%Ln)</source>
        <translation>
            <numerusform>Calls that do it (%Ln)</numerusform>
            <numerusform>Calls that do it (%Ln)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::HeatCanvas</name>
    <message numerus="yes">
        <source>%1 (of %Ln ranks in this line)</source>
        <translation>
            <numerusform>%1 (of %Ln rank in this line)</numerusform>
            <numerusform>%1 (of %Ln ranks in this line)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::LogModel</name>
    <message numerus="yes">
        <source>%1, %Ln line(s) folded</source>
        <translation>
            <numerusform>%1, %Ln line folded</numerusform>
            <numerusform>%1, %Ln lines folded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::LogRankMenu</name>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln rank</numerusform>
            <numerusform>%Ln ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln node(s)</source>
        <translation>
            <numerusform>%Ln node</numerusform>
            <numerusform>%Ln nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::MetricPlot</name>
    <message numerus="yes">
        <source>%1 of %Ln ranks.</source>
        <translation>
            <numerusform>%1 of %Ln rank.</numerusform>
            <numerusform>%1 of %Ln ranks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln silent</source>
        <translation>
            <numerusform>%Ln silent</numerusform>
            <numerusform>%Ln silent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks are silent.</source>
        <translation>
            <numerusform>%Ln rank is silent.</numerusform>
            <numerusform>%Ln ranks are silent.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln rank</numerusform>
            <numerusform>%Ln ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::RankHeatMap</name>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln rank</numerusform>
            <numerusform>%Ln ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ReachPanel</name>
    <message numerus="yes">
        <source>and %Ln more; the table shows them all</source>
        <translation>
            <numerusform>and %Ln more; the table shows them all</numerusform>
            <numerusform>and %Ln more; the table shows them all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::RemoteRunsDialog</name>
    <message numerus="yes">
        <source>%Ln job(s)</source>
        <translation>
            <numerusform>%Ln job</numerusform>
            <numerusform>%Ln jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compartment(s) not looked into: the job runs there may not be read</source>
        <translation>
            <numerusform>%Ln compartment not looked into: the job runs there may not be read</numerusform>
            <numerusform>%Ln compartments not looked into: the job runs there may not be read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::RunFileExport</name>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>secrets were taken out of %Ln line(s)</source>
        <translation>
            <numerusform>secrets were taken out of %Ln line</numerusform>
            <numerusform>secrets were taken out of %Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln torn object(s) were left out</source>
        <translation>
            <numerusform>%Ln torn object was left out</numerusform>
            <numerusform>%Ln torn objects were left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::RunImport</name>
    <message numerus="yes">
        <source>Imported %Ln run(s)</source>
        <translation>
            <numerusform>Imported %Ln run</numerusform>
            <numerusform>Imported %Ln runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupChecks</name>
    <message numerus="yes">
        <source>last check %1, %2 s, %Ln read-only call(s)</source>
        <translation>
            <numerusform>last check %1, %2 s, %Ln read-only call</numerusform>
            <numerusform>last check %1, %2 s, %Ln read-only calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %Ln call(s) of another kind by this machine meanwhile</source>
        <translation>
            <numerusform>, %Ln call of another kind by this machine meanwhile</numerusform>
            <numerusform>, %Ln calls of another kind by this machine meanwhile</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupExports</name>
    <message numerus="yes">
        <source>%Ln statement(s) copied</source>
        <translation>
            <numerusform>%Ln statement copied</numerusform>
            <numerusform>%Ln statements copied</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::DesignerPage</name>
    <message numerus="yes">
        <source>%Ln set-up step(s) missing</source>
        <translation>
            <numerusform>%Ln set-up step missing</numerusform>
            <numerusform>%Ln set-up steps missing</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::FixSeriesPanel</name>
    <message numerus="yes">
        <source>%Ln change(s) that Lockstep can make</source>
        <translation>
            <numerusform>%Ln change that Lockstep can make</numerusform>
            <numerusform>%Ln changes that Lockstep can make</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Make %Ln change(s)</source>
        <translation>
            <numerusform>&amp;Make %Ln change</numerusform>
            <numerusform>&amp;Make %Ln changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupPage</name>
    <message numerus="yes">
        <source>Make all %Ln change(s) …</source>
        <translation>
            <numerusform>Make %Ln change …</numerusform>
            <numerusform>Make all %Ln changes …</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::SetupHeader</name>
    <message numerus="yes">
        <source>Nothing prevents a launch, %Ln step(s) with a remark</source>
        <translation>
            <numerusform>Nothing prevents a launch, %Ln step with a remark</numerusform>
            <numerusform>Nothing prevents a launch, %Ln steps with a remark</numerusform>
        </translation>
    </message>
</context>
</TS>
